import { messages, PGlite, protocol } from '@electric-sql/pglite'

/**
 * Maximum size of one statement's result. Rows grow several times as they become objects, and an exhausted
 * heap ends the thread and every request with it; within this limit the worst result takes half of the
 * thread's heap.
 */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
export const MAX_ANSWER_ROWS = 250_000

/** SQLSTATE `program_limit_exceeded`. */
const LIMIT_EXCEEDED = '54000'

/**
 * PGlite that discards a result once it is too large, and fails only that statement, and that returns texts unparsed. JavaScript for the reason of `named-statements.js`.
 */
export class BoundedPGlite extends PGlite {
  /**
   * Replaces the inherited method, which buffers every message without a limit.
   * @param {Uint8Array} message
   * @param {Parameters<PGlite['execProtocolStream']>[1]} options
   * @returns {ReturnType<PGlite['execProtocolStream']>}
   * @override
   */
  async execProtocolStream(message, { syncToFs, throwOnError = true, onNotice } = {}) {
    /** @type {Awaited<ReturnType<PGlite['execProtocolStream']>>} */
    const kept = []
    /** @type {InstanceType<typeof messages.DatabaseError> | undefined} */
    let failure
    let bytes = 0
    let isTooLarge = false
    const parser = exactParser()
    await this.execProtocolRawStream(message, {
      syncToFs: syncToFs ?? true,
      onRawData: (data) => {
        bytes += data.length
        if (isTooLarge) return
        // Copied, because the buffer is reused.
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

/** PGlite's own parser drops U+FEFF from the start of a text, because it decodes each one as if it were a file. */
function exactParser() {
  const own = globalThis.TextDecoder
  // Only the parser's constructor, which awaits nothing, sees this one.
  globalThis.TextDecoder = class extends own {
    /**
     * @param {string} [label]
     * @param {TextDecoderOptions} [options]
     */
    constructor(label, options) {
      super(label, { ...options, ignoreBOM: true })
    }
  }
  try {
    return new protocol.Parser()
  } finally {
    globalThis.TextDecoder = own
  }
}

function tooLarge() {
  const sentence = `the answer of a statement exceeds ${MAX_ANSWER_BYTES / 1024 ** 2} MiB or ${MAX_ANSWER_ROWS} rows`
  const error = new messages.DatabaseError(sentence, sentence.length, 'error')
  return Object.assign(error, { code: LIMIT_EXCEEDED, severity: 'ERROR' })
}
