import { Progress } from '#/ui/Progress.tsx'
import type { CopyProgress } from './with-snapshots.ts'

/** Progress of a clone's snapshots, disk by disk. */
export function CopyStatus({ progress }: { progress: CopyProgress }) {
  const ready = progress.filter(({ isReady }) => isReady).length
  return (
    <div className="w-80 max-w-full">
      <p className="mb-1">
        {ready === progress.length
          ? 'Creating the instance'
          : `Taking snapshots: ${ready} of ${progress.length} ready`}
      </p>
      <Progress label="Snapshots" percent={(ready / progress.length) * 100} />
      <ul className="mt-1 text-muted">
        {progress.map(({ name, isReady }) => (
          <li key={name}>
            {name}: {isReady ? 'snapshot ready' : 'taking snapshot'}
          </li>
        ))}
      </ul>
    </div>
  )
}
