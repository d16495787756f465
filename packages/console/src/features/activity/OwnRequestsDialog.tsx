// @chunk apart: of what users did, which few want as code.
import { useQuery } from '@tanstack/react-query'
import { asFailure } from '#/data/failure.ts'
import { useCurrentUser } from '#/data/current-user.ts'
import { RecordedDialog } from '#/features/recording/RecordedDialog.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { ownLimits, readOwnRequests, requestsBehind } from './own-requests.ts'
import { type ActivityEntry, type ActivityScope, filtersOf, placeOf } from './queries.ts'
import type { ActivitySearch } from './search.ts'

interface Props {
  scope: ActivityScope
  search: ActivitySearch
  /** Instead of all that the filter shows. */
  entries?: readonly ActivityEntry[]
  onClose: () => void
}

/** What the user did of what the filter shows, as a script or a plan. */
export function OwnRequestsDialog({ scope, search, entries, onClose }: Props) {
  const { id } = useCurrentUser()
  const { data, error, refetch } = useQuery({
    queryKey: ['own-requests', scope, search, entries?.map((entry) => entry.id)],
    queryFn: ({ signal }) => {
      if (entries) return requestsBehind(entries, signal)
      const mine = scope.of === 'project' ? { by: id } : { mine: true }
      return readOwnRequests({ ...mine, ...placeOf(scope), ...filtersOf(search, new Date()) }, id, signal)
    },
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  if (data) {
    const { steps, known, unkept, isCut } = data
    const count = steps.length - unkept
    return (
      <RecordedDialog
        title={`Your activity: ${count === 1 ? '1 request' : `${count} requests`}`}
        steps={steps}
        known={known}
        empty="You changed nothing among what the filter shows."
        note={
          <>
            {isCut &&
              `These are the last ${ownLimits.entries} that ${entries ? 'you selected: take the earlier ones apart' : 'match: narrow the filter for earlier ones'}. `}
            {unkept > 0 &&
              `${unkept === 1 ? '1 entry is a comment' : `${unkept} entries are comments`}, because the request is not kept: it was sent before requests were kept, is too large, or a schedule sent it. `}
          </>
        }
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      title="Your activity"
      onRequestClose={onClose}
      footer={
        <Button size="lg" onClick={onClose}>
          Close
        </Button>
      }
    >
      {error ? (
        <ErrorNote
          errors={[failureText(asFailure(error))]}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  )
}
