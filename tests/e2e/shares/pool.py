"""A pool of threads writes files, as dask and zarr do."""
from concurrent.futures import ThreadPoolExecutor


def store(number):
    with open(f"chunk.{number}", "wb") as file:
        file.write(bytes(1 << 20))
    return number


with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(store, range(64))))
