import SquareTerminal from 'lucide-react/icons/square-terminal'
import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { useCopied } from '#/ui/CopyButton.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { consoleCommand } from './stream-url.ts'

interface Props {
  project: string
  instance: string
}

/** The CLI command that opens this console from a shell. */
export function CliCommand(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <SquareTerminal aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
        CLI Command
      </Button>
      {isOpen && <CommandDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function CommandDialog({ project, instance, onClose }: Props & { onClose: () => void }) {
  const [isCopied, copy] = useCopied()
  const { line, lines } = consoleCommand(location, project, instance)
  return (
    <Dialog
      title="CLI command"
      width="free"
      onRequestClose={onClose}
      footer={
        <>
          <Button size="lg" onClick={onClose}>
            Close
          </Button>
          <Button size="lg" kind="primary" onClick={() => void copy(line)}>
            {isCopied ? 'Copied' : 'Copy command'}
          </Button>
        </>
      }
    >
      <p>
        Connects to the serial console of <strong>{instance}</strong> from a shell.{' '}
        <code className="whitespace-nowrap">GANTRY_SESSION</code> is the session cookie of a signed-in
        browser.
      </p>
      <pre className="rounded-control border border-line bg-sunken px-3 py-2.5 whitespace-pre-wrap wrap-anywhere text-strong">
        <span aria-hidden className="text-muted select-none">
          ${' '}
        </span>
        {lines.join(' \\\n    ')}
      </pre>
    </Dialog>
  )
}
