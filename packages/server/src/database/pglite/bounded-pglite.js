import { messages, PGlite, protocol } from '@electric-sql/pglite'

/**
 * The most that one statement may answer. Rows grow several times as they become objects, and a heap that is full ends
 * the thread and every request with it; within these bounds the worst answer takes half of the thread's heap.
 */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
export const MAX_ANSWER_ROWS = 250_000

/** SQLSTATE `program_limit_exceeded`. */
const LIMIT_EXCEEDED = '54000'

/** PGlite that drops an answer once it is too large, and reports an error for that statement alone. */
export class BoundedPGlite extends PGlite {
  /**
   * The same as the inherited method, which keeps every message whatever they take together.
   * @param {Uint8Array} message
   * @param {Parameters<PGlite['execProtocolStream']>[1]} options
   * @override
   */
  async execProtocolStream(message, { syncToFs, throwOnError = true, onNotice } = {}) {
    /** @type {Awaited<ReturnType<PGlite['execProtocolStream']>>} */
    const kept = []
    /** @type {InstanceType<typeof messages.DatabaseError> | undefined} */
    let failure
    let bytes = 0
    let isTooLarge = false
    const parser = new protocol.Parser()
    await this.execProtocolRawStream(message, {
      syncToFs: syncToFs ?? true,
      onRawData: (data) => {
        bytes += data.length
        if (isTooLarge) return
        // A copy, because the bytes are those of a buffer that is written again.
        parser.parse(data.slice(), (part) => {
          if (failure) return
          if (part instanceof messages.DatabaseError && throwOnError) failure = part
          else if (part instanceof messages.NoticeMessage) onNotice?.(part)
          kept.push(part)
        })
        isTooLarge = bytes > MAX_ANSWER_BYTES || kept.length > MAX_ANSWER_ROWS
        if (isTooLarge) kept.length = 0
      },
    })
    if (failure) throw failure
    if (isTooLarge) throw tooLarge()
    return kept
  }
}

function tooLarge() {
  const sentence = `the answer of a statement exceeds ${MAX_ANSWER_BYTES / 1024 ** 2} MiB or ${MAX_ANSWER_ROWS} rows`
  const error = new messages.DatabaseError(sentence, sentence.length, 'error')
  return Object.assign(error, { code: LIMIT_EXCEEDED, severity: 'ERROR' })
}
