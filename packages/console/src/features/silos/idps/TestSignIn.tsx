import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { Card } from '#/ui/Card.tsx'
import { ErrorNote, Note } from '#/ui/Note.tsx'
import { TestResult } from './TestResult.tsx'
import { type SamlProvider, signInTest } from './queries.ts'

/** Poll interval for a test that waits for the provider. */
const pollMs = 1500

interface Begun {
  id: string
  signInUrl: string
}

/** Runs a test sign-in without a session, and shows what the provider sent. */
export function TestSignIn({ silo, provider }: { silo: string; provider: SamlProvider }) {
  const begin = useOp(op.samlSignInTestBegin)
  const [begun, setBegun] = useState<Begun>()
  const whyNot = useWhyNot({ action: 'create_child', object: 'identity_provider', id: silo })

  async function start(): Promise<void> {
    const answer = begin.run({
      path: { provider: provider.id },
      query: {},
      body: { redirectUri: '/login/tested' },
    })
    // A refusal is shown below.
    await answer.then(setBegun).catch(() => undefined)
  }

  return (
    <Card
      title="Test sign-in"
      description="Signs in at the provider once. Nobody is signed in here and no user is created."
      actions={
        <Button
          pending={begin.isPending}
          pendingLabel="Starting"
          disabledReason={whyNot}
          onClick={() => void start()}
        >
          {begun ? 'Test again' : 'Test sign-in'}
        </Button>
      }
    >
      <div className="space-y-3">
        {begin.error && <ErrorNote errors={[failureText(begin.error)]} />}
        {begun && <Progress key={begun.id} silo={silo} {...begun} />}
      </div>
    </Card>
  )
}

function Progress({ silo, id, signInUrl }: Begun & { silo: string }) {
  const { data, error } = useQuery({
    ...signInTest(id),
    refetchInterval: ({ state }) => (state.data?.result || state.error ? false : pollMs),
  })
  if (error) return <ErrorNote errors={[`${failureText(error)} Start the test again.`]} />
  if (data?.result) return <TestResult silo={silo} result={data.result} />
  return (
    <>
      <a className={buttonClass({ kind: 'primary' })} href={signInUrl} target="_blank" rel="noreferrer">
        Open the sign-in page
        <ExternalLink aria-hidden strokeWidth={1.75} className="size-4" />
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <Note>Waiting for the identity provider. Sign in on its page; the result appears here.</Note>
    </>
  )
}
