"""Rigs that stories run on: the simulated board, and a board of pins and lights in real time.

A story is a list of timed acts and expectations (`sim.story.script`); a rig is what performs the acts and
shows what follows (`StoryRig`). On a real board a person performs them, told by words and lights.
"""
