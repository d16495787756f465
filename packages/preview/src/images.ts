import type { PGlite } from '@electric-sql/pglite'
import type { BlockStore } from '@gantry/control-plane/blocks/block-store'
import { makeImageContent } from '@gantry/control-plane/modules/storage/demo-images'

interface ImageRow {
  content_id: string
  os: string
  version: string
  size: number
  block_size: number
}

/** Recreates the bytes of the images in the database, which does not contain them; they are few. */
export async function restoreImages(database: PGlite, blocks: BlockStore): Promise<void> {
  const { rows } = await database.query<ImageRow>(
    'SELECT content_id, os, version, size::float8 AS size, block_size FROM image',
  )
  for (const image of rows) await makeImageContent(blocks, image.content_id, image)
}
