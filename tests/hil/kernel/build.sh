#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Build User-Mode Linux with the reed board: build.sh SOURCE.tar.xz FOLDER leaves FOLDER/linux.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
archive=$1
folder=$2
mkdir -p "$folder"
tree=$folder/tree
rm -rf "$tree"
mkdir "$tree"
tar -xf "$archive" -C "$tree" --strip-components=1
cp "$here/reedboard.c" "$tree/drivers/gpio/"
cp "$here/Kconfig" "$tree/drivers/gpio/Kconfig.reedboard"
echo 'obj-$(CONFIG_REEDBOARD) += reedboard.o' >>"$tree/drivers/gpio/Makefile"
sed -i '/^if GPIOLIB$/a source "drivers/gpio/Kconfig.reedboard"' "$tree/drivers/gpio/Kconfig"
# A processor with AMX has 11,008 bytes of registers to save; the source allows for 2,696, and the first
# program then dies. Sixteen pages of stack carry them.
sed -i 's/DEFINE_LONGS(HOST_FP_SIZE, 2696)/DEFINE_LONGS(HOST_FP_SIZE, 12288)/' "$tree/arch/x86/um/user-offsets.c"
grep -q 'HOST_FP_SIZE, 12288' "$tree/arch/x86/um/user-offsets.c"
cd "$tree"
make -s ARCH=um KCONFIG_ALLCONFIG="$here/kernel.config" allnoconfig
make -s ARCH=um -j"$(nproc)" linux
strip -o "$folder/linux.new" linux
cd /
rm -rf "$tree"
mv "$folder/linux.new" "$folder/linux"
