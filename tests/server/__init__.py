"""A process: its log, its traces, its workers, its shutdown."""
