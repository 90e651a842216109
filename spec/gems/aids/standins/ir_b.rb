# No console.
