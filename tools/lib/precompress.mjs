import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(js|css|html|svg|json|txt|md|webmanifest|map)$/
/** A smaller response fits one packet either way. */
const LEAST_BYTES = 1024

/**
 * Writes a `.br` and a `.gz` beside each file that they make smaller.
 * @param {string} folder
 */
export async function precompress(folder) {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name))
  await Promise.all(files.map((entry) => compress(path.join(entry.parentPath, entry.name))))
}

/** @param {string} file */
async function compress(file) {
  const bytes = await fs.readFile(file)
  if (bytes.length < LEAST_BYTES) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  if (br.length < bytes.length) await fs.writeFile(`${file}.br`, br)
  if (gz.length < bytes.length) await fs.writeFile(`${file}.gz`, gz)
}
