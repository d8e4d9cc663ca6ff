"""The evidence registry: what is known about accelerators, checkpoints and runtimes, and who says so."""
