import { startPreview } from './preview-server.ts'
import { target } from './target.ts'

/** Starts one preview server for all workers, because it only serves files. */
export default async function setUp(): Promise<(() => void) | undefined> {
  if (target !== 'preview') return undefined
  const { url, stop } = await startPreview('serve-preview')
  process.env.GANTRY_PREVIEW_URL = url
  return stop
}
