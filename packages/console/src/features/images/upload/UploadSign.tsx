import { useSyncExternalStore } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Progress } from '#/ui/Progress.tsx'
import { percentOf, phaseWords } from './words.ts'
import type { UploadTask } from './task.ts'
import { uploads } from './uploads.ts'

/** An indicator for an upload in the background. */
export function UploadSign({ task }: { task: UploadTask }) {
  const { phase, bytes } = useSyncExternalStore(task.subscribe, task.state)
  const { name, size } = task.about
  const percent = percentOf(bytes, size)
  return (
    <section
      aria-label="Image upload"
      data-print="hide"
      className="fixed right-4 bottom-20 w-(--toast-width) max-w-[calc(100vw-2rem)] rounded-block bg-float px-3.5 py-3 text-sm text-text shadow-dialog forced:border"
    >
      <div className="flex items-center gap-3">
        <p className="min-w-0 grow wrap-anywhere">
          {phaseWords[phase]} <strong>{name}</strong>, <span className="tabular-nums">{percent} %</span>
        </p>
        <Button onClick={uploads.show}>Show</Button>
      </div>
      <div className="mt-2">
        <Progress label={`Upload of ${name}`} percent={percent} />
      </div>
    </section>
  )
}
