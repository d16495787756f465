import type { FavouriteKind } from '@gantry/api/views/favourite.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import StarIcon from 'lucide-react/icons/star'
import { asFailure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { IconButton } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { favourites, hasFavourites } from './queries.ts'

interface Props {
  kind: FavouriteKind
  id: string
  name: string
  /** One of many on the page. */
  isInRow?: boolean
}

/** Nothing on servers without favourites. */
export function Star({ kind, id, name, isInRow = false }: Props) {
  const { data } = useQuery(favourites)
  const queryClient = useQueryClient()
  const add = useOp(op.favouriteAdd)
  const remove = useOp(op.favouriteRemove)
  const isKept = data?.items.some((each) => each.id === id) ?? false
  const isPending = add.isPending || remove.isPending
  const label = isKept ? `Remove ${name} from favourites` : `Add ${name} to favourites`
  const toggle = async (): Promise<void> => {
    const path = { objectId: id }
    try {
      if (isKept) await remove.run({ path })
      else await add.run({ path, query: { kind } })
    } catch (cause) {
      // On another device, it was taken off meanwhile.
      if (isKept && asFailure(cause).statusCode === 404) return void queryClient.invalidateQueries(favourites)
      toast.error({ title: 'Could not change favourites', text: failureText(asFailure(cause)) })
    }
  }
  usePaletteItems(data && !isInRow ? [{ label, icon: StarIcon, run: () => void toggle() }] : [])
  if (!hasFavourites()) return null
  return (
    <IconButton
      label={label}
      kind="quiet"
      className="size-7! align-middle coarse:size-11!"
      pending={isPending}
      // Until it is known which it does.
      disabled={!data}
      onClick={() => void toggle()}
    >
      <StarIcon
        aria-hidden
        strokeWidth={1.75}
        className={classes('size-4', isKept ? 'fill-current text-accent-text' : 'text-muted')}
      />
    </IconButton>
  )
}
