/** Runs work that shares a key sequentially, in the order of the calls. */
export function keyedTurns() {
  const last = new Map<string, Promise<void>>()
  const inTurn = <Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    // All keys are taken in one step, so that two never wait for each other.
    const before = keys.flatMap((key) => last.get(key) ?? [])
    const turn = Promise.all(before).then(work)
    const over = turn.then(
      () => {},
      () => {},
    )
    for (const key of keys) last.set(key, over)
    void over.then(() => keys.forEach((key) => last.get(key) === over && last.delete(key)))
    return turn
  }
  /** Whether work with one of these keys runs or waits. */
  inTurn.areTaken = (keys: readonly string[]): boolean => keys.some((key) => last.has(key))
  return inTurn
}
