import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { ErrorNote, Note } from '#/ui/Note.tsx'
import { toast } from '#/ui/toast.ts'
import { useSecondsUntil } from '#/ui/use-second.ts'
import { type Trial, trials } from './queries.ts'

/** Changes that revert unless confirmed, each with a countdown. */
export function TrialNotes() {
  const { data, dataUpdatedAt } = useQuery(trials)
  const running = (data?.items ?? []).filter(({ state }) => state === 'running')
  return running.map((trial) => (
    <RunningTrial key={trial.id} trial={trial} until={new Date(dataUpdatedAt + trial.remainingMs)} />
  ))
}

function RunningTrial({ trial, until }: { trial: Trial; until: Date }) {
  const seconds = useSecondsUntil(until)
  const whyNot = useWhyNotOnFleet()
  const confirm = useOp(op.networkTrialConfirm)
  const revert = useOp(op.networkTrialRevert)
  const input = { path: { trialId: trial.id } }
  const failure = confirm.error ?? revert.error
  const settle = (run: typeof confirm.run, outcome: string): void =>
    void run(input).then(
      () => toast.success(`Change of ${nameOf(trial)} ${outcome}`),
      () => undefined,
    )
  return (
    <Note
      kind="busy"
      className="mb-4"
      title={`The change of ${nameOf(trial)} waits for confirmation`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            pending={confirm.isPending}
            pendingLabel="Confirming"
            disabledReason={whyNot}
            onClick={() => settle(confirm.run, 'confirmed')}
          >
            Confirm change
          </Button>
          <Button
            pending={revert.isPending}
            pendingLabel="Reverting"
            disabledReason={whyNot}
            onClick={() => settle(revert.run, 'reverted')}
          >
            Revert now
          </Button>
        </div>
      }
    >
      <p>
        It reverts automatically in <span className="tabular-nums">{seconds}</span> s.
      </p>
      {failure && <ErrorNote errors={[failureText(failure)]} />}
    </Note>
  )
}

const nameOf = ({ subject, subjectName }: Trial): string =>
  subject === 'allow_list'
    ? 'the allow list'
    : subject === 'switch_port'
      ? `port ${subjectName}`
      : `settings ${subjectName}`
