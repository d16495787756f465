import { startPreview } from './preview-server.ts'
import { target } from './target.ts'

/** One server of the preview for all workers: it only hands out files. */
export default async function setUp(): Promise<(() => void) | undefined> {
  if (target !== 'preview') return undefined
  const { url, stop } = await startPreview('serve-preview')
  process.env.GANTRY_PREVIEW_URL = url
  return stop
}
