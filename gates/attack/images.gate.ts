import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pause } from '../kill/chance.ts'
import { qcow2File, vhdxFile, vmdkFile } from '../../packages/api/src/storage/image-file.fixtures.ts'
import { othersAreAnswered } from './others.ts'
import { okay } from './requests.ts'
import { describeAttacks } from './stage.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const pieceBytes = 4 * MiB

interface Upload {
  id: string
  state: string
  failure: { message: string } | null
}
type File = Uint8Array<ArrayBuffer>

describeAttacks(
  'read files of the host through an image, or exhaust it',
  (stage) => {
    const { gantry, member } = stage
    const uploads = '/ext/v1/image-uploads'
    let count = 0

    /** Uploads a file, and completes it: the refusal, or how it ended. */
    async function outcomeOf(file: File, format?: string): Promise<{ name: string; said: string }> {
      const name = `hostile-${++count}`
      const body = { name, description: '', os: '', version: '', block_size: 512, size: file.length, format }
      const { id } = await okay<Upload>(await member.send('POST', `${uploads}?project=playground`, body))
      for (let at = 0; at < file.length; at += pieceBytes) {
        const bytes = Buffer.from(file.subarray(at, at + pieceBytes))
        const digest = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
        const headers = { 'content-type': 'application/octet-stream', 'content-digest': digest }
        await okay(await member.request('PUT', `${uploads}/${id}/content?offset=${at}`, { bytes, headers }))
      }
      const completed = await member.send('POST', `${uploads}/${id}/complete`)
      if (!completed.ok) {
        const { message } = (await completed.json()) as { message: string }
        return { name, said: completed.status === 400 ? message : `${completed.status} ${message}` }
      }
      await completed.arrayBuffer()
      for (;;) {
        const view = await okay<Upload>(await member.send('GET', `${uploads}/${id}`))
        if (view.state === 'done' || view.state === 'open')
          return { name, said: view.failure?.message ?? view.state }
        await pause(100)
      }
    }

    const isImage = async (name: string): Promise<boolean> =>
      (await member.send('GET', `/v1/images/${name}?project=playground`)).ok

    /** Files that conversions have left. */
    const leftovers = () => fs.readdir(path.join(gantry.dataDir, 'blocks/unfinished'))

    const secrets = ['/etc/passwd', path.join(gantry.dataDir, 'database/PG_VERSION'), '/proc/self/environ']
    const hostile: [string, () => File][] = secrets.flatMap((secret): [string, () => File][] => [
      [`the backing file ${secret}`, () => qcow2File({ size: MiB, backingFile: secret })],
      [
        `the data file ${secret}`,
        () => qcow2File({ size: MiB, features: [2], extensions: [{ type: 0x44415441, data: secret }] }),
      ],
      [
        `the extent ${secret}`,
        () => vmdkFile({ size: MiB, descriptor: ['createType="monolithicFlat"', `RW 1 FLAT "${secret}" 0`] }),
      ],
      [
        `the parent ${secret}`,
        () =>
          vmdkFile({
            size: MiB,
            descriptor: ['createType="monolithicSparse"', `parentFileNameHint="${secret}"`],
          }),
      ],
    ])

    test.each(hostile)('an image with %s', async (_, make) => {
      for (const file of [make(), gzipSync(make())]) {
        const padded = Buffer.concat([file, Buffer.alloc(-file.length & 511)])
        const { name, said } = await outcomeOf(padded)
        expect(said).toMatch(/needs another file|is of the type|not convert|cannot confine|lacks the program/)
        expect(await isImage(name)).toBe(false)
      }
    })

    test('damaged or too large images are refused with a message', async () => {
      const files: [File, string | undefined][] = [
        [qcow2File({ size: 2 ** 60, tableEntries: 1 }), undefined],
        [qcow2File({ size: 1023 * GiB }), undefined],
        [qcow2File({ size: MiB, encryption: 1 }), undefined],
        [vhdxFile({ size: GiB, hasParent: true }), undefined],
        [Buffer.from('QFI\xfb\0\0\0\x03'.padEnd(512, '\xff'), 'latin1'), undefined],
        [Buffer.from('KDMV'.padEnd(512, '\xff'), 'latin1'), 'vmdk'],
        [Buffer.from('vhdxfile'.padEnd(512, '\0'), 'latin1'), 'vhdx'],
        [gzipSync(Buffer.alloc(MiB, 1)).subarray(0, 600), 'gzip'],
      ]
      for (const [file, format] of files) {
        const { name, said } = await outcomeOf(file, format)
        expect(said).toMatch(/^The file is .+\.$/)
        expect(await isImage(name)).toBe(false)
      }
    })

    test('bombs end at the limit, while others are answered', async () => {
      // 2 GiB in two megabytes.
      const bomb = gzipSync(Buffer.alloc(GiB))
      const file = Buffer.concat([bomb, bomb])
      await othersAreAnswered(stage, async () => {
        const ended = await Promise.all([1, 2, 3].map(() => outcomeOf(file, 'gzip')))
        for (const { name, said } of ended) {
          expect(said).toBe('The file is a gzip file that unpacks to more than 1 GiB.')
          expect(await isImage(name)).toBe(false)
        }
      })
    })

    test('leave nothing behind', async () => {
      expect((await leftovers()).filter((name) => name.startsWith('image-'))).toEqual([])
    })
  },
  { settings: { image_conversion: { max_gibibytes: 1 } } },
)
