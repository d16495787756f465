import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { RolesCard } from '#/features/people/RolesCard.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { type Accepted, type SamlProvider, signInTest, type SignInTest } from './queries.ts'

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

interface Props {
  silo: string
  result: NonNullable<SignInTest['result']>
}

/** The result of a test: the user with their groups and roles, or why the sign-in would fail. */
function TestResult({ silo, result }: Props) {
  if (result.outcome === 'refused')
    return <ErrorNote title="The sign-in would be refused" errors={[result.message]} />
  return (
    <div role="status" className="space-y-3">
      <p>The sign-in would be accepted.</p>
      <DataPlate narrow>
        <DataItem label="User" wide>
          {result.subject}
          <Tag>{result.userExists ? 'Exists' : 'Would be created'}</Tag>
        </DataItem>
        <DataItem label="Groups" wide>
          {result.groups.length === 0 && <span className="text-muted">No groups</span>}
          {result.groups.map(({ displayName, exists }) => (
            <Tag key={displayName}>{exists ? displayName : `${displayName} (would be created)`}</Tag>
          ))}
        </DataItem>
        <Attributes attributes={result.attributes} />
      </DataPlate>
      <RolesCard roles={result.roles} silo={silo} />
    </div>
  )
}

const Attributes = ({ attributes }: Pick<Accepted, 'attributes'>) =>
  attributes.map(({ name, values }) => (
    <DataItem key={name} label={`Attribute ${name}`} wide>
      {values.join(', ')}
    </DataItem>
  ))
