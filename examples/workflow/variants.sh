#!/usr/bin/env bash
# Calls variants in reads that it makes: an index, a scatter over samples, a merge, calls. In the current folder.
#     fathom record -o variants.fathom -- bash variants.sh
#     fathom workflow show variants.fathom
set -euo pipefail
python3 - <<'P'
import random
random.seed(1); s=''.join(random.choice('ACGT') for _ in range(20000))
open('ref.fa','w').write('>c\n'+'\n'.join(s[i:i+60] for i in range(0,20000,60))+'\n')
for k in range(2):
    with open(f'r{k}.fq','w') as f:
        for i in range(1500):
            p=random.randrange(19900); q=list(s[p:p+100])
            if random.random()<.3: q[50]='A'
            f.write(f'@{k}{i}\n{"".join(q)}\n+\n{"I"*100}\n')
P
bwa index ref.fa 2>/dev/null
samtools faidx ref.fa
for k in 0 1; do bwa mem -t 2 ref.fa r$k.fq 2>/dev/null | samtools sort -o r$k.bam - ; samtools index r$k.bam; done
samtools merge -f all.bam r0.bam r1.bam
bcftools mpileup -f ref.fa all.bam 2>/dev/null | bcftools call -mv -Oz -o v.vcf.gz
bcftools index v.vcf.gz
bcftools stats v.vcf.gz >stats.txt
