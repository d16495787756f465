import { pathOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { saveFile } from '#/ui/save-file.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { bundleAt } from './queries.ts'

/** Downloads the whole archive. */
export const saveBundle = (id: string): Promise<void> =>
  save(pathOf(op.supportBundleDownload.path, bundleAt(id).path), `support-bundle-${id}.zip`)

/** Downloads one file of a bundle. */
export const saveBundleFile = (id: string, file: string): Promise<void> =>
  save(
    pathOf(op.supportBundleDownloadFile.path, { ...bundleAt(id).path, file }),
    file.split('/').at(-1) ?? file,
  )

async function save(path: string, name: string): Promise<void> {
  try {
    const response = await fetch(path)
    if (!response.ok) throw new Error(await reasonOf(response))
    saveFile(name, await response.blob())
  } catch (error) {
    toast.error({ title: 'Could not download', text: (error as Error).message })
  }
}

async function reasonOf(response: Response): Promise<string> {
  const { message } = (await response.json().catch(() => ({}))) as { message?: string }
  return message ?? `The server responded with ${response.status}.`
}
