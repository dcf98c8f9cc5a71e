def cache_folder():
    return None
