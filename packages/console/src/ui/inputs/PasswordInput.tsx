import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { TextInput } from './TextInput.tsx'

interface Props {
  value: string
  onChange: (value: string) => void
  name?: string
  ref?: React.Ref<HTMLInputElement>
  /** Whether a password manager offers a stored password or a new one. */
  autoComplete?: 'current-password' | 'new-password'
}

/** A password field that can reveal its value. */
export function PasswordInput({
  value,
  onChange,
  name = 'password',
  ref,
  autoComplete = 'current-password',
}: Props) {
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const noteCapsLock = (event: React.KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'))
  const Icon = isShown ? EyeOff : Eye
  return (
    <>
      <div className="relative">
        <TextInput
          ref={ref}
          name={name}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          data-1p-ignore={undefined}
          data-lpignore={undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={noteCapsLock}
          onKeyUp={noteCapsLock}
          onBlur={() => setCapsLock(false)}
          className="pr-10"
        />
        <button
          type="button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          className="wash absolute inset-y-0 right-1.5 my-auto grid size-7 place-items-center rounded-control text-muted"
          onClick={() => setShown(!isShown)}
        >
          <Icon aria-hidden strokeWidth={1.75} className="size-4" />
        </button>
      </div>
      <p role="status" className="mt-1.5 text-sm text-muted empty:hidden">
        {hasCapsLock && 'Caps Lock is on'}
      </p>
    </>
  )
}
