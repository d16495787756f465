import { type ReactNode, useRef } from 'react'
import { Button } from '#/ui/Button.tsx'

interface Props {
  onChoose: (file: File) => void
  disabledReason: string | undefined
  children: ReactNode
}

/** A button that opens a file picker. */
export function FileButton({ onChoose, disabledReason, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) onChoose(file)
          // Cleared, so that selecting the same file again counts as a change.
          event.target.value = ''
        }}
      />
    </>
  )
}
