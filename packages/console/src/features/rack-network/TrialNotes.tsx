import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { useSecondsUntil } from '#/ui/use-second.ts'
import { type Trial, trials } from './queries.ts'

/** Changes that revert unless confirmed, each with a countdown. */
export function TrialNotes() {
  const { data, dataUpdatedAt } = useQuery(trials)
  const answered = useEndingsToasted(data?.items)
  const running = (data?.items ?? []).filter(({ state }) => state === 'running')
  return running.map((trial) => (
    <RunningTrial
      key={trial.id}
      trial={trial}
      until={new Date(dataUpdatedAt + trial.remainingMs)}
      answered={answered}
    />
  ))
}

/**
 * Says when a pending change has been reverted, because its note disappears as it does after a confirmation. Returns
 * those that the user has answered here, which get no message.
 */
function useEndingsToasted(items: readonly Trial[] | undefined): Set<string> {
  const [{ waiting, answered }] = useState(() => ({
    waiting: new Set<string>(),
    answered: new Set<string>(),
  }))
  useEffect(() => {
    for (const trial of items ?? []) {
      if (trial.state === 'running') waiting.add(trial.id)
      else if (waiting.delete(trial.id) && trial.state !== 'confirmed' && !answered.has(trial.id))
        toast.error({ title: `The change of ${nameOf(trial)} was not confirmed`, text: endings[trial.state] })
    }
  }, [items, waiting, answered])
  return answered
}

const endings = {
  reverted: 'It was reverted. Make it again if you need it.',
  superseded: 'It was not reverted, because something else has changed it since.',
}

interface RunningTrialProps {
  trial: Trial
  until: Date
  /** Ids of the trials that the user has answered here. */
  answered: Set<string>
}

function RunningTrial({ trial, until, answered }: RunningTrialProps) {
  const seconds = useSecondsUntil(until)
  const whyNot = useWhyNotOnFleet()
  const confirm = useOp(op.networkTrialConfirm)
  const revert = useOp(op.networkTrialRevert)
  const input = { path: { trialId: trial.id } }
  const failure = confirm.error ?? revert.error
  async function settle(run: typeof confirm.run, outcome: string): Promise<void> {
    answered.add(trial.id)
    try {
      await run(input)
      toast.success(`Change of ${nameOf(trial)} ${outcome}`)
    } catch {
      // Shown as `failure`.
      answered.delete(trial.id)
    }
  }
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
            onClick={() => void settle(confirm.run, 'confirmed')}
          >
            Confirm change
          </Button>
          <Button
            pending={revert.isPending}
            pendingLabel="Reverting"
            disabledReason={whyNot}
            onClick={() => void settle(revert.run, 'reverted')}
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
