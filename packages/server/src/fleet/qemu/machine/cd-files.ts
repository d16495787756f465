import fs, { type FileHandle } from 'node:fs/promises'
import type { MachineCd } from '@gantry/control-plane/fleet/fleet'
import type { FileBlocks } from '#src/blocks/blocks-files'
import { keyedTurns } from '../host/keyed-turns.ts'

/** The files of images, which machines only read. */
export interface CdFiles {
  file: (contentId: string) => Promise<string>
  /** Opens CDs for a machine; undefined for an empty drive. */
  openAll: (cds: readonly (MachineCd | null)[]) => Promise<(FileHandle | undefined)[]>
  /** Work with the same bytes is sequential. */
  inTurn: <Result>(ids: readonly string[], work: () => Promise<Result>) => Promise<Result>
}

const { O_RDONLY, O_NOFOLLOW } = fs.constants

export function cdFiles(blocks: Pick<FileBlocks, 'source'>): CdFiles {
  const file = async (contentId: string): Promise<string> => (await blocks.source(contentId)).file
  return {
    file,
    async openAll(cds) {
      const opened: (FileHandle | undefined)[] = []
      try {
        for (const cd of cds)
          opened.push(cd ? await fs.open(await file(cd.content_id), O_RDONLY | O_NOFOLLOW) : undefined)
        return opened
      } catch (error) {
        for (const handle of opened) await handle?.close()
        throw error
      }
    },
    inTurn: keyedTurns(),
  }
}
