"""An answer in every form a reader may want: for people, for programs, and safely in its place."""
