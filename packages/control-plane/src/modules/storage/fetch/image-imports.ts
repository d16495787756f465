import type { ImageImportCreate, ImageUpload } from '@gantry/api/storage/image-upload'
import { shownUrl } from '@gantry/api/storage/image-url.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { change } from '@gantry/control-plane/change/change'
import { invalid } from '@gantry/control-plane/context/refusal'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { refuseTakenName } from '../begin-image.ts'
import { viewOne } from '../image-uploads.ts'
import { noDownloads } from '../upload-format.ts'
import { imageTagsOf } from '../upload-holdings.ts'
import { uploadFetch } from './fetch-job.ts'

/** Begins an image whose file the server fetches: an upload without a client that sends its bytes. */
export async function createImport(cx: Cx, at: Selectors, body: ImageImportCreate): Promise<ImageUpload> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  if (!cx.services.downloads) throw invalid(`${noDownloads}.`, 'Download the file, then upload it.')
  const { url, sha256, format, ...values } = body
  const sealed = await cx.services.seal.seal(url)
  const upload = await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    await refuseTakenName(tx.read, project.id, body.name)
    const upload = await tx.insert('image_upload', {
      ...values,
      ...imageTagsOf(cx),
      format: format ?? null,
      // Known from the first answer, and charged then.
      size: 0,
      project_id: project.id,
      state: 'fetching',
      content_id: cx.newId(),
      image_id: null,
      source_url: shownUrl(url),
      expected_sha256: sha256 ?? null,
    })
    await tx.plain
      .insertInto('image_import')
      .values({ upload_id: upload.id, url: sealed, time_begun: cx.now() })
      .execute()
    await tx.job(uploadFetch, { upload_id: upload.id })
    return upload
  })
  // A new upload first makes room: abandoned ones are looked for at once.
  cx.services.wake.uploads()
  return viewOne(cx, upload)
}
