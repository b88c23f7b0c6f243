// SPDX-License-Identifier: GPL-2.0
/*
 * A Raspberry Pi's header with a board of 64 reed switches behind it, for tests.
 *
 * One gpiochip of 54 lines, labelled as a Pi 4's. Eight lines are rows and eight are columns; contact
 * (row, column) joins its row and column, through a diode unless it is bare. What a column reads is worked
 * out when it is read, so no program has to keep up with the scan. A column without a pull-up floats, and
 * reads low here, so that a driver which forgets it is caught.
 *
 * One SPI character device, which keeps the last transfer: the data line of a strip of pixels.
 *
 * Both are set and read in /sys/devices/platform/reedboard:
 *   closed      64-bit mask of closed contacts, bit = row * 8 + column
 *   bare        64-bit mask of contacts without a diode
 *   levels      54-bit mask of what all other inputs read (buttons: low is pressed)
 *   outputs     54-bit mask of lines that are driven now
 *   pulled_up   54-bit mask of lines with a pull-up
 *   reads       how often a line has been read
 *   violations  how often a row was driven high, or two rows at once
 *   frames      how many SPI transfers there have been; frame: the bytes of the last one
 */
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/gpio/driver.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spi/spidev.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#define LINES 54
#define SIDE 8
#define SPI_MAJOR 153
#define FRAME_MAX 4096

static int rows[SIDE] = { 5, 6, 13, 19, 26, 16, 20, 21 };
static int columns[SIDE] = { 4, 17, 27, 22, 23, 24, 25, 12 };
module_param_array(rows, int, NULL, 0444);
module_param_array(columns, int, NULL, 0444);

static DEFINE_SPINLOCK(board_lock);
static u64 driven, high, pulled_up, levels = ~0ULL;
static u64 closed, bare;
static u64 reads, violations;

static DEFINE_MUTEX(frame_lock);
static u8 frame[FRAME_MAX];
static size_t frame_size;
static u64 frames;
static u32 spi_mode, spi_speed = 500000;
static u8 spi_bits = 8, spi_lsb;

static u8 row_contacts(u64 mask, int row)
{
	return mask >> (row * SIDE);
}

static u8 rows_driven_low(void)
{
	u8 low = 0;
	int row;

	for (row = 0; row < SIDE; row++)
		if (driven & ~high & BIT_ULL(rows[row]))
			low |= 1 << row;
	return low;
}

/* The columns that are pulled low; current spreads through bare contacts until nothing more joins. */
static u8 columns_low(void)
{
	u8 low_rows = rows_driven_low(), low = 0, before;
	int row;

	if (!low_rows)
		return 0;
	do {
		before = low;
		for (row = 0; row < SIDE; row++) {
			if (low & row_contacts(closed & bare, row))
				low_rows |= 1 << row;
			if (low_rows & 1 << row)
				low |= row_contacts(closed, row);
		}
	} while (low != before);
	return low;
}

static bool is_row(unsigned int line)
{
	int row;

	for (row = 0; row < SIDE; row++)
		if (rows[row] == line)
			return true;
	return false;
}

static int column_of(unsigned int line)
{
	int column;

	for (column = 0; column < SIDE; column++)
		if (columns[column] == line)
			return column;
	return -1;
}

static int level_of(unsigned int line)
{
	int column = column_of(line);

	if (driven & BIT_ULL(line))
		return !!(high & BIT_ULL(line));
	if (column < 0)
		return !!(levels & BIT_ULL(line));
	if (!(pulled_up & BIT_ULL(line)))
		return 0;
	return !(columns_low() >> column & 1);
}

static int board_get(struct gpio_chip *chip, unsigned int line)
{
	unsigned long flags;
	int level;

	spin_lock_irqsave(&board_lock, flags);
	reads++;
	level = level_of(line);
	spin_unlock_irqrestore(&board_lock, flags);
	return level;
}

static void drive(unsigned int line, int value, bool as_output)
{
	unsigned long flags;

	spin_lock_irqsave(&board_lock, flags);
	high = (high & ~BIT_ULL(line)) | (value ? BIT_ULL(line) : 0);
	if (as_output)
		driven |= BIT_ULL(line);
	if (is_row(line) && (driven & BIT_ULL(line)))
		if (value || hweight8(rows_driven_low()) > 1)
			violations++;
	spin_unlock_irqrestore(&board_lock, flags);
}

static void board_set(struct gpio_chip *chip, unsigned int line, int value)
{
	drive(line, value, false);
}

static int board_output(struct gpio_chip *chip, unsigned int line, int value)
{
	drive(line, value, true);
	return 0;
}

static int board_input(struct gpio_chip *chip, unsigned int line)
{
	unsigned long flags;

	spin_lock_irqsave(&board_lock, flags);
	driven &= ~BIT_ULL(line);
	spin_unlock_irqrestore(&board_lock, flags);
	return 0;
}

static int board_direction(struct gpio_chip *chip, unsigned int line)
{
	return driven & BIT_ULL(line) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

/* Bias as a Pi has it; it has no open drain of its own, so that gpiolib makes one out of directions. */
static int board_config(struct gpio_chip *chip, unsigned int line, unsigned long config)
{
	unsigned long flags;
	u64 bit = BIT_ULL(line);

	spin_lock_irqsave(&board_lock, flags);
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		pulled_up |= bit;
		break;
	case PIN_CONFIG_BIAS_DISABLE:
	case PIN_CONFIG_BIAS_PULL_DOWN:
		pulled_up &= ~bit;
		break;
	default:
		spin_unlock_irqrestore(&board_lock, flags);
		return -ENOTSUPP;
	}
	spin_unlock_irqrestore(&board_lock, flags);
	return 0;
}

static struct gpio_chip chip = {
	.label = "pinctrl-bcm2711",
	.owner = THIS_MODULE,
	.base = -1,
	.ngpio = LINES,
	.get = board_get,
	.set = board_set,
	.direction_input = board_input,
	.direction_output = board_output,
	.get_direction = board_direction,
	.set_config = board_config,
};

static int take_transfer(const struct spi_ioc_transfer *transfer, size_t *size)
{
	if (transfer->len > FRAME_MAX - *size)
		return -EMSGSIZE;
	if (transfer->tx_buf &&
	    copy_from_user(frame + *size, u64_to_user_ptr(transfer->tx_buf), transfer->len))
		return -EFAULT;
	if (transfer->rx_buf && clear_user(u64_to_user_ptr(transfer->rx_buf), transfer->len))
		return -EFAULT;
	*size += transfer->len;
	return 0;
}

static long take_message(unsigned int command, void __user *argument)
{
	struct spi_ioc_transfer transfer;
	unsigned int bytes = _IOC_SIZE(command), at;
	size_t size = 0;
	int error = 0;

	if (bytes % sizeof(transfer))
		return -EINVAL;
	mutex_lock(&frame_lock);
	for (at = 0; at < bytes && !error; at += sizeof(transfer))
		error = copy_from_user(&transfer, argument + at, sizeof(transfer)) ?
				-EFAULT : take_transfer(&transfer, &size);
	if (!error) {
		frame_size = size;
		frames++;
	}
	mutex_unlock(&frame_lock);
	return error ? error : size;
}

static long spi_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	void __user *at = (void __user *)argument;

	if (_IOC_TYPE(command) != SPI_IOC_MAGIC)
		return -ENOTTY;
	switch (command) {
	case SPI_IOC_RD_MODE:
		return put_user((u8)spi_mode, (u8 __user *)at);
	case SPI_IOC_WR_MODE: {
		u8 mode;

		if (get_user(mode, (u8 __user *)at))
			return -EFAULT;
		spi_mode = mode;
		return 0;
	}
	case SPI_IOC_RD_MODE32:
		return put_user(spi_mode, (u32 __user *)at);
	case SPI_IOC_WR_MODE32:
		return get_user(spi_mode, (u32 __user *)at);
	case SPI_IOC_RD_LSB_FIRST:
		return put_user(spi_lsb, (u8 __user *)at);
	case SPI_IOC_WR_LSB_FIRST:
		return get_user(spi_lsb, (u8 __user *)at);
	case SPI_IOC_RD_BITS_PER_WORD:
		return put_user(spi_bits, (u8 __user *)at);
	case SPI_IOC_WR_BITS_PER_WORD:
		return get_user(spi_bits, (u8 __user *)at);
	case SPI_IOC_RD_MAX_SPEED_HZ:
		return put_user(spi_speed, (u32 __user *)at);
	case SPI_IOC_WR_MAX_SPEED_HZ:
		return get_user(spi_speed, (u32 __user *)at);
	default:
		if (_IOC_NR(command) != _IOC_NR(SPI_IOC_MESSAGE(0)) || _IOC_DIR(command) != _IOC_WRITE)
			return -ENOTTY;
		return take_message(command, at);
	}
}

static const struct file_operations spi_operations = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = spi_ioctl,
	.llseek = no_llseek,
};

#define MASK_FILE(name, change)                                                                       \
	static ssize_t name##_show(struct device *device, struct device_attribute *file, char *text)  \
	{                                                                                             \
		return sysfs_emit(text, "0x%016llx\n", name);                                         \
	}                                                                                             \
	static ssize_t name##_store(struct device *device, struct device_attribute *file,             \
				    const char *text, size_t size)                                    \
	{                                                                                             \
		unsigned long flags;                                                                  \
		u64 value;                                                                            \
		int error = kstrtou64(text, 0, &value);                                               \
                                                                                                      \
		if (error)                                                                            \
			return error;                                                                 \
		spin_lock_irqsave(&board_lock, flags);                                                \
		change;                                                                               \
		spin_unlock_irqrestore(&board_lock, flags);                                           \
		return size;                                                                          \
	}                                                                                             \
	static DEVICE_ATTR_RW(name)

#define SEEN_FILE(name, format, value)                                                               \
	static ssize_t name##_show(struct device *device, struct device_attribute *file, char *text)  \
	{                                                                                             \
		return sysfs_emit(text, format "\n", value);                                          \
	}                                                                                             \
	static DEVICE_ATTR_RO(name)

MASK_FILE(closed, closed = value);
MASK_FILE(bare, bare = value);
MASK_FILE(levels, levels = value);
SEEN_FILE(outputs, "0x%016llx", driven);
SEEN_FILE(pulled_up, "0x%016llx", pulled_up);
SEEN_FILE(reads, "%llu", reads);
SEEN_FILE(violations, "%llu", violations);
SEEN_FILE(frames, "%llu", frames);

static ssize_t frame_read(struct file *file, struct kobject *object, struct bin_attribute *attribute,
			  char *bytes, loff_t at, size_t size)
{
	ssize_t taken;

	mutex_lock(&frame_lock);
	taken = memory_read_from_buffer(bytes, size, &at, frame, frame_size);
	mutex_unlock(&frame_lock);
	return taken;
}
static BIN_ATTR_RO(frame, 0);

static struct attribute *board_files[] = {
	&dev_attr_closed.attr,	  &dev_attr_bare.attr,	&dev_attr_levels.attr,	   &dev_attr_outputs.attr,
	&dev_attr_pulled_up.attr, &dev_attr_reads.attr, &dev_attr_violations.attr, &dev_attr_frames.attr,
	NULL,
};
static struct bin_attribute *board_bytes[] = { &bin_attr_frame, NULL };
static const struct attribute_group board_group = { .attrs = board_files, .bin_attrs = board_bytes };
static const struct attribute_group *board_groups[] = { &board_group, NULL };

static int __init board_init(void)
{
	struct platform_device *device = platform_device_alloc("reedboard", PLATFORM_DEVID_NONE);
	struct class *class;
	int error;

	if (!device)
		return -ENOMEM;
	device->dev.groups = board_groups;
	error = platform_device_add(device);
	if (error)
		return error;
	chip.parent = &device->dev;
	error = gpiochip_add_data(&chip, NULL);
	if (error)
		return error;
	error = register_chrdev(SPI_MAJOR, "spi", &spi_operations);
	if (error)
		return error;
	class = class_create(THIS_MODULE, "spidev");
	if (IS_ERR(class))
		return PTR_ERR(class);
	return PTR_ERR_OR_ZERO(
		device_create(class, &device->dev, MKDEV(SPI_MAJOR, 0), NULL, "spidev0.0"));
}
device_initcall(board_init);
