import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { type ReactNode, useEffect, useState } from 'react'
import { Failure } from '#/data/failure.ts'
import { IdentityProviderNotice, otherErrors } from '#/kit/page/SectionError.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { useMarkNotFound } from './not-found.ts'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { EmptyHook, FallenLoad } from '#/ui/drawings/GantryDrawing.tsx'
import { signOutOrSay } from './sign-out.tsx'

/** The page for errors that no part of a page has handled. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [isTrying, setTrying] = useState(false)
  useEffect(() => console.error(error), [error])
  const failure = error instanceof Failure ? error : undefined
  if (failure?.statusCode === 404) return <NotFoundScreen />
  const tryAgain = async () => {
    setTrying(true)
    try {
      await router.invalidate()
    } finally {
      setTrying(false)
      reset()
    }
  }
  return (
    <Screen
      drawing={<FallenLoad />}
      title={otherErrors.title}
      code={failure?.statusCode}
      requestId={failure?.requestId}
      actions={
        <>
          <Button
            size="lg"
            kind="primary"
            pending={isTrying}
            pendingLabel="Trying again"
            onClick={() => void tryAgain()}
          >
            Try again
          </Button>
          <GoBack />
        </>
      }
    >
      <p>{otherErrors.text}</p>
      {failure?.statusCode === 403 && <IdentityProviderNotice className="mt-4" />}
    </Screen>
  )
}

export function NotFoundScreen() {
  useMarkNotFound()
  return (
    <Screen
      drawing={<EmptyHook />}
      title="Page not found"
      code={404}
      actions={
        <>
          <a href="/projects" className={buttonClass({ kind: 'primary', size: 'lg' })}>
            Go to projects
          </a>
          <GoBack />
        </>
      }
    >
      <p>The page you are looking for doesn&apos;t exist or you may not have access to it.</p>
    </Screen>
  )
}

const GoBack = () => (
  <Button size="lg" onClick={() => history.back()}>
    Go back
  </Button>
)

interface ScreenProps {
  drawing: ReactNode
  title: string
  code?: number | undefined
  requestId?: string | undefined
  actions: ReactNode
  children: ReactNode
}

function Screen({ drawing, title, code, requestId, actions, children }: ScreenProps) {
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr_auto] bg-rail">
      <header className="flex items-center justify-between px-5 py-3 text-sm">
        <a href="/" className="link flex items-center gap-1.5">
          <ArrowLeft aria-hidden strokeWidth={1.75} className="size-4" />
          Back to console
        </a>
        <Button kind="quiet" onClick={() => void signOutOrSay()}>
          Sign out
        </Button>
      </header>
      <main className="grid grid-cols-1 place-items-center p-4">
        <div className="w-112 max-w-full pb-24 text-md text-muted">
          <div className="-ml-1">{drawing}</div>
          <h1 tabIndex={-1} className="mt-3.5 mb-1.5 text-xl outline-none">
            {title}
          </h1>
          {children}
          <div className="mt-5 flex flex-wrap gap-2">{actions}</div>
        </div>
      </main>
      <footer className="flex flex-wrap items-center gap-x-2 px-5 py-3.5 text-sm text-muted">
        {code ? `Code ${code} · ` : ''}
        <span className="font-mono text-[0.8125rem] wrap-anywhere">{location.pathname}</span>
        {requestId && (
          <span className="flex items-center gap-1">
            · Request <span className="font-mono text-[0.8125rem]">{requestId}</span>
            <CopyButton text={requestId} />
          </span>
        )}
      </footer>
    </div>
  )
}
