import type { Cx } from '@gantry/control-plane/context/cx'
import { change } from '@gantry/control-plane/change/change'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Found } from '@gantry/control-plane/lookup/need'
import { uploadFetch } from './fetch-job.ts'

type Upload = Row<'image_upload'>

/** Whether its file is yet to be fetched. */
export const isToFetch = ({ source_url, sha256 }: Upload): boolean => source_url !== null && sha256 === null

/** Fetches the rest of a file, after a failure. */
export const fetchAgain = (cx: Cx, { row, scope }: Found<'image_upload'>): Promise<Upload> =>
  change(cx, scope, async (tx) => {
    const upload = await tx.lock('image_upload', row)
    if (upload.state !== 'open') return upload
    await tx.plain
      .updateTable('image_import')
      .set({ failures: 0, time_begun: cx.now() })
      .where('upload_id', '=', upload.id)
      .execute()
    await tx.job(uploadFetch, { upload_id: upload.id })
    return tx.update('image_upload', upload, { state: 'fetching', failure: null })
  })
