"""From a documented name or page to its behaviours and back; what of each library is covered; what has drifted."""
