/** Keeps the first bytes of a program's output, up to a maximum. */
export function boundedOutput(maxBytes: number) {
  const pieces: Buffer[] = []
  let length = 0
  return {
    take: (piece: Buffer): void => {
      if (length < maxBytes) pieces.push(piece.subarray(0, maxBytes - length))
      length += piece.length
    },
    text: (): string => Buffer.concat(pieces).toString('utf8'),
  }
}
