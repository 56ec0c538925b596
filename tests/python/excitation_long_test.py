"""The first passage of excitation_test.py with a hundred thousand runs."""
import excitation_test

excitation_test.main(100_000)
