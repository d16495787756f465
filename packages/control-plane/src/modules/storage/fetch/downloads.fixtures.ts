import {
  type Download,
  DownloadFailed,
  type DownloadedPart,
  type Downloads,
} from '@gantry/control-plane/blocks/downloads'

/** A server of files whose behaviour tests steer. */
export function fakeDownloads() {
  const fake = {
    bytes: new Uint8Array(0),
    size: undefined as number | undefined,
    saysSize: true,
    validator: '"1"' as string | undefined,
    contentType: 'application/octet-stream',
    /** Runs before each piece; throws to break the connection. */
    beforePiece: async (_at: number, _signal: AbortSignal): Promise<void> => {},
    /** Refuses the next requests. */
    failures: [] as DownloadFailed[],
    asked: [] as { url: string; from: DownloadedPart | undefined }[],
    open: 0,
    peak: 0,
    reset(bytes: Uint8Array<ArrayBuffer>): void {
      Object.assign(fake, {
        bytes,
        size: undefined,
        saysSize: true,
        validator: '"1"',
        contentType: 'application/octet-stream',
        beforePiece: async () => {},
        failures: [],
        asked: [],
        // Those of a test before may still be ending.
        peak: fake.open,
      })
    },
  }
  const piece = 256 * 1024
  async function* pieces(from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    fake.open += 1
    fake.peak = Math.max(fake.peak, fake.open)
    try {
      for (let at = from; at < fake.bytes.length; at += piece) {
        await fake.beforePiece(at, signal)
        signal.throwIfAborted()
        yield fake.bytes.subarray(at, at + piece)
      }
    } finally {
      fake.open -= 1
    }
  }
  const downloads: Downloads = {
    async open(url, from, signal): Promise<Download> {
      fake.asked.push({ url, from })
      const failure = fake.failures.shift()
      if (failure) throw failure
      const offset = from && from.validator === fake.validator ? from.offset : 0
      return {
        size: fake.saysSize ? (fake.size ?? fake.bytes.length) : undefined,
        offset,
        validator: fake.validator,
        contentType: fake.contentType,
        pieces: pieces(offset, signal),
      }
    },
  }
  return { downloads, fake }
}

export const broken = (): DownloadFailed =>
  new DownloadFailed('The connection broke.', 'Try again.', 'passing')

/** Resolves with the abortion of a signal. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
