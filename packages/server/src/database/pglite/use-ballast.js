import fs from 'node:fs'

/**
 * Removes the ballast when a system call of the database finds the disk full, and retries the call.
 * PostgreSQL panics when its log cannot grow, so reporting the error would be too late.
 * @param {string} ballast
 * @returns {(module: { NODEFS: any }) => void} For the Emscripten module, which has no types.
 */
export function useBallast(ballast) {
  return ({ NODEFS: nodefs }) => {
    const attempt = nodefs.tryFSOperation
    nodefs.tryFSOperation = (/** @type {() => unknown} */ operation) =>
      attempt(() => withBallast(ballast, operation))

    // A file system that runs out midway writes less than requested, and PostgreSQL does not retry.
    const { write } = nodefs.stream_ops
    nodefs.stream_ops.write = (
      /** @type {unknown} */ stream,
      /** @type {Uint8Array} */ buffer,
      /** @type {number} */ offset,
      /** @type {number} */ length,
      /** @type {number} */ position,
    ) => {
      for (let written = 0; ;) {
        try {
          written += write(stream, buffer, offset + written, length - written, position + written)
        } catch (error) {
          if (written > 0) return written
          throw error
        }
        if (written >= length) return written
      }
    }
  }
}

/**
 * @template T
 * @param {string} ballast
 * @param {() => T} operation
 */
function withBallast(ballast, operation) {
  try {
    return operation()
  } catch (error) {
    if (!isFull(error) || !drop(ballast)) throw error
    return operation()
  }
}

const isFull = (/** @type {unknown} */ error) =>
  ['ENOSPC', 'EDQUOT'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')

/**
 * Returns whether there was any.
 * @param {string} ballast
 */
function drop(ballast) {
  try {
    fs.unlinkSync(ballast)
    return true
  } catch {
    return false
  }
}
