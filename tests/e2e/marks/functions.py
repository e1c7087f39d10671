import threading


class Grid:
    def save(self, text):
        with open("grid", "w") as file:
            file.write(text)


def numbers():
    yield 1
    with open("numbers", "w") as file:
        file.write("1")
    yield 2


def fails():
    raise ValueError("no")


def solve(depth):
    if depth:
        return solve(depth - 1)
    Grid().save("text")
    try:
        fails()
    except ValueError:
        pass
    return list(numbers())


thread = threading.Thread(target=solve, args=(1,))
thread.start()
thread.join()
print(solve(2))
