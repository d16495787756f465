import { formatDateTime } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import type { Outage, SledUse } from '../queries.ts'

/** Says of a lost sled since when, what to inspect, and which action brings it back, if any. */
export function OutageNote({ use, outage }: { use: SledUse; outage: Outage }) {
  const since = outage.since ? formatDateTime(new Date(outage.since)) : ''
  return (
    <Note
      kind="fail"
      className="mb-4"
      title={`Lost since ${since}. No instance is placed here until it is back.`}
    >
      {outage.faults.length > 0 ? (
        <>
          Look at its power and cabling in slot {use.cubby} first. When it runs again, press{' '}
          <strong>Mark as back</strong>. Instances that failed stay failed until they are started. If it never
          runs again, press <strong>Remove for good</strong>.
        </>
      ) : (
        <>
          Look at the host and its network. It is back without any action here once the fleet reaches it;
          until then its instances cannot be started, stopped or seen.
        </>
      )}
    </Note>
  )
}

/** Says of a sled that has left the rack what remains of it. */
export const RemovedNote = ({ outage }: { outage: Outage | undefined }) => (
  <Note className="mb-4" title="Removed for good">
    It never returns to service, and neither do its disks.
    {outage?.since && ` It was lost since ${formatDateTime(new Date(outage.since))}.`}
  </Note>
)
