"""Makes a reference and reads of it: reads.py REFERENCE READS COUNT. What examples/workflow/variants.sh makes, for as many reads as one likes."""
import random
import sys

reference, reads, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(1)
LENGTH, READ = 200000, 100
bases = "".join(random.choice("ACGT") for _ in range(LENGTH))
with open(reference, "w") as file:
    print(">c", *(bases[i:i + 60] for i in range(0, LENGTH, 60)), sep="\n", file=file)
with open(reads, "w") as file:
    for i in range(count):
        start = random.randrange(LENGTH - READ)
        print(f"@r{i}\n{bases[start:start + READ]}\n+\n{'I' * READ}", file=file)
