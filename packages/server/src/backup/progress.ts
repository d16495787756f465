/** Shows progress on a terminal in one updating line; elsewhere it prints nothing. */
export function progress(stream: NodeJS.WriteStream = process.stderr) {
  let saidAt = 0
  let isReferenced = false
  return {
    say(text: () => string): void {
      const now = performance.now()
      if (!stream.isTTY || now - saidAt < 200) return
      saidAt = now
      isReferenced = true
      stream.write(`\r\x1b[K${text()}`)
    },
    end(): void {
      if (isReferenced) stream.write('\r\x1b[K')
      isReferenced = false
    },
  }
}

export const inMB = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
