# A library in C: what needs it fails here and on MRI.
