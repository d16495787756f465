// @chunk change-plans: of reviews and confirmations, which users open after the page.
import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { usePolling } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import { Tree } from '#/features/deletion/Tree.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Foot } from '#/kit/list/foot.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { commitLabel, effectTexts } from '#/kit/plan/plan-words.ts'
import { PlanView } from '#/kit/plan/PlanView.tsx'
import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { savedPlanCheck, savedPlanView } from './queries.ts'
import { nameOf, PlanPlate, planTitle } from './words.tsx'

const pollMs = 10_000

/** A saved plan: what it would do now, and who may commit it. */
export function SavedPlanPage({ id }: { id: string }) {
  const refetchInterval = usePolling(pollMs)
  const { data: saved } = useSuspenseQuery({ ...savedPlanView(id), refetchInterval })
  const isOpen = saved.state === 'open'
  const check = useQuery({
    ...savedPlanCheck(id),
    enabled: isOpen,
    refetchInterval: isOpen && refetchInterval,
  })
  const commit = useOp(op.savedPlanCommit)
  const withdraw = useOp(op.savedPlanWithdraw)
  const current = isOpen ? check.data?.current : undefined
  const shown = current ?? saved.plan
  const isMoved = isOpen && check.data?.isMoved === true
  const path = { savedPlanId: id }

  const send = (run: () => Promise<unknown>, text: string) =>
    run()
      .then(() => toast.success(text))
      // Shown in place, above the plan of now.
      .catch(() => check.refetch())

  return (
    <>
      <PageHead
        title={planTitle(saved)}
        state={
          <>
            <Tag>Plan</Tag>
            <PlanPlate state={saved.state} />
          </>
        }
      />
      <p className="-mt-2 mb-4 max-w-3xl text-sm text-muted">
        {`Saved by ${nameOf(saved.author)} on`} <DateTime value={saved.timeCreated} />
        {saved.project && ` in project ${saved.project.name}`}.{' '}
        {isOpen ? (
          <>
            Nothing has changed yet. It can be committed until <DateTime value={saved.timeExpires} />.
          </>
        ) : (
          saved.endedBy &&
          saved.timeEnded && (
            <>
              {`${saved.state === 'committed' ? 'Committed' : 'Withdrawn'} by ${nameOf(saved.endedBy)} on`}{' '}
              <DateTime value={saved.timeEnded} />.
            </>
          )
        )}
      </p>
      {saved.note && (
        <Note className="mb-4" title={`Note of ${nameOf(saved.author)}`}>
          <p className="whitespace-pre-wrap">{saved.note}</p>
        </Note>
      )}
      {(commit.error ?? withdraw.error) && (
        <ErrorNote
          className="mb-4"
          errors={[commit.error, withdraw.error].flatMap((error) => (error ? [failureText(error)] : []))}
        />
      )}
      {isMoved && (
        <Note kind="busy" className="mb-4" title="It would do something else now than when it was saved">
          <p>{`As it was saved: ${effectTexts(saved.plan).join(', ') || 'nothing'}.`}</p>
          {current ? (
            <p>What it would do now is shown below.</p>
          ) : (
            <p>{`As it is now, it would be refused: ${check.data?.whyNot ?? ''}`}</p>
          )}
        </Note>
      )}
      {isOpen && check.isPending ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <PlanView
          plan={shown}
          about={
            <p className="flex items-center gap-1">
              Copy its link
              <CopyButton text={location.href} />
            </p>
          }
        >
          {shown.deletion && <Tree plan={shown.deletion} isRecycled={shown.deletion.recycledHours > 0} />}
        </PlanView>
      )}
      {isOpen && (
        <Foot>
          <section
            aria-label="Plan"
            className="flex min-h-16 flex-wrap items-center justify-end gap-2 bg-page px-gutter py-3 shadow-bar"
          >
            <p className="mr-auto text-sm text-muted max-sm:w-full">{current && check.data?.whyNot}</p>
            <Button
              size="lg"
              pending={withdraw.isPending}
              pendingLabel="Withdrawing"
              onClick={() => void send(() => withdraw.run({ path }), 'Plan withdrawn')}
            >
              Withdraw
            </Button>
            <Button
              size="lg"
              kind="primary"
              pending={commit.isPending}
              pendingLabel="Committing"
              disabledReason={
                check.data?.whyNot ?? (current ? undefined : 'What it would do is still being asked')
              }
              onClick={() =>
                current &&
                void send(() => commit.run({ path, body: { hash: current.hash } }), 'Plan committed')
              }
            >
              {commitLabel(shown)}
            </Button>
          </section>
        </Foot>
      )}
    </>
  )
}
