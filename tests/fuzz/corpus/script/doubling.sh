X=ab
for a in 1 2; do for b in 1 2; do for c in 1 2; do X=$X$X; Y=${X:0:999999999999}; done; done; done
A='B+B+B'; B='C+C+C'; C='D+D+D'; D='1+1'; N=$((A))
f() { f; g; }; g() { f | f; }; f
{ { { ( ( ( eval "eval 'eval X=1'" ) ) ) } } }
pretrain_gpt.py --num-layers $N --hidden-size ${X//a*/b}
