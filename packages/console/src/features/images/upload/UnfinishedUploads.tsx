import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { useStore } from '#/store.ts'
import { Button } from '#/ui/Button.tsx'
import { imageUploadsIn } from './queries.ts'
import { shownFirst } from './shown-first.ts'
import { uploadRecords, uploadsInTabs } from './browser-uploads.ts'
import { UnfinishedUpload } from './UnfinishedUpload.tsx'
import { runningUpload } from './running-upload.ts'

/** Uploading a part leaves no change record to stream. */
const pollMs = 5000

/** Unfinished uploads of a project, with their actions. */
export function UnfinishedUploads({ project }: { project: string }) {
  const { data = [] } = useQuery({
    ...imageUploadsIn(project),
    enabled: () => !isAbsent(op.imageUploadList),
    refetchInterval: ({ state }) =>
      state.data?.some(({ state }) => state !== 'done' && state !== 'failed') ? pollMs : false,
  })
  const { data: inTabs } = useQuery({
    queryKey: ['uploads-in-tabs'],
    queryFn: uploadsInTabs,
    enabled: data.length > 0,
    refetchInterval: pollMs,
  })
  const current = useStore(runningUpload)
  const own = current?.task.flow.uploadId()
  const unfinished = data.filter(
    ({ id, state, purpose }) =>
      id !== own &&
      purpose !== 'instance' &&
      state !== 'done' &&
      state !== 'failed' &&
      (state !== 'expired' || uploadRecords.read(id)),
  )
  const [isOpen, setOpen] = useState(false)
  if (unfinished.length === 0) return null
  const shown = isOpen ? unfinished : shownFirst(unfinished, (id) => uploadRecords.read(id) !== undefined)
  const hidden = unfinished.length - shown.length
  return (
    <section aria-label="Unfinished uploads" className="mb-4 space-y-2">
      {shown.map((upload) => (
        <UnfinishedUpload
          key={upload.id}
          project={project}
          upload={upload}
          runsInOtherTab={inTabs?.has(upload.id) ?? false}
        />
      ))}
      {(hidden > 0 || isOpen) && (
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show ${hidden} more unfinished ${hidden === 1 ? 'upload' : 'uploads'}`}
        </Button>
      )}
    </section>
  )
}
