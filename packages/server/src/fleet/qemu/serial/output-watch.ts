import nodeFs, { type FSWatcher } from 'node:fs'

/** The minimum interval of hints at output. */
const HINT_MS = 20

export interface OutputWatch {
  add: (id: string, file: string) => void
  remove: (id: string) => void
  close: () => void
}

/**
 * Hints that files of output have grown. QEMU writes the output of a serial port byte by byte, and each byte would be an
 * event. So a file is not watched between its first event and the hint, which follows once it is watched again.
 */
export function watchOutput(
  onOutput: () => void,
  onError: (error: unknown, id: string) => void,
): OutputWatch {
  /** Undefined until the next hint. */
  const watched = new Map<string, { file: string; watcher: FSWatcher | undefined }>()
  let hinting: NodeJS.Timeout | undefined

  const listen = (id: string, file: string): void => {
    try {
      const watcher = nodeFs.watch(file, { persistent: false }, () => {
        watcher.close()
        if (watched.get(id)?.watcher !== watcher) return
        watched.set(id, { file, watcher: undefined })
        hinting ??= setTimeout(hint, HINT_MS).unref()
      })
      watcher.on('error', (error) => onError(error, id))
      watched.set(id, { file, watcher })
    } catch (error) {
      watched.delete(id)
      onError(error, id)
    }
  }
  const hint = (): void => {
    hinting = undefined
    for (const [id, { file, watcher }] of watched) if (!watcher) listen(id, file)
    onOutput()
  }
  return {
    add: listen,
    remove: (id) => {
      watched.get(id)?.watcher?.close()
      watched.delete(id)
    },
    close() {
      clearTimeout(hinting)
      for (const { watcher } of watched.values()) watcher?.close()
      watched.clear()
    },
  }
}
