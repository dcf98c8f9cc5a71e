"""Views: the chapter, on the memory that views share, on writing through them, and on their derivatives."""
