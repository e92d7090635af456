"""Hashes of passwords that are made in no time: a real one takes a third of a second, and the tests make hundreds."""

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

LIGHT = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
