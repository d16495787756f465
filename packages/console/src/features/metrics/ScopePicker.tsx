import { useNavigate } from '@tanstack/react-router'
import { Select } from '#/ui/inputs/Select.tsx'

interface Props {
  /** The URL's key, and its current value. */
  name: 'silo' | 'project'
  value: string | undefined
  /** As in `All silos`. */
  all: string
  choices: readonly { id: string; name: string }[]
}

const everything = 'all'

/** Selects everything or one part by name. The URL holds the selection. */
export function ScopePicker({ name, value, all, choices }: Props) {
  const navigate = useNavigate()
  return (
    <Select
      small
      aria-label={`Choose ${name}`}
      options={[
        { value: everything, label: all },
        ...choices.map((choice) => ({ value: choice.id, label: choice.name })),
      ]}
      value={choices.find(({ id }) => id === value)?.id ?? everything}
      onChange={(chosen) =>
        void navigate({
          to: '.',
          search: (old) => ({ ...old, [name]: chosen === everything ? undefined : chosen }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}
