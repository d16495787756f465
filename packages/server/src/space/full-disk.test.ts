import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundled } from '../testing/bundled.ts'
import { smallVolume } from '../testing/small-volume.ts'

const volume = await smallVolume(160)
if ('missing' in volume) console.warn(`skipped: a server on a full disk, ${volume.missing}`)

// A disk that fills while the server runs: `npm run gates -- full-disk`.
test.skipIf('missing' in volume)('a server on a full disk explains why it cannot start', async () => {
  if ('missing' in volume) throw new Error(volume.missing)
  onTestFinished(volume.remove)
  const { file, remove } = await bundled('src/gantry.ts')
  onTestFinished(remove)
  await volume.fill()
  const args = [file, 'serve', '--port', '0', '--data-dir', path.join(volume.folder, 'data')]
  const said = await new Promise<{ failed: boolean; out: string; err: string }>((resolve) => {
    execFile(process.execPath, args, { env: { PATH: process.env['PATH'] } }, (error, out, err) =>
      resolve({ failed: error !== null, out, err }),
    )
  })
  expect(said).toEqual({
    failed: true,
    out: '',
    err: expect.stringMatching(
      /^gantry: The volume of .+ is full: [\d.]+ \w+ are free\. Nothing was lost\. Make room on it, or .+ start again\.\n$/,
    ),
  })
})
