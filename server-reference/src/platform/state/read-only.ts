type Primitive = string | number | boolean | null | undefined;

/** The same value, with nothing in it to change: what `Store.state` shows and `Store.commit` hands out. */
export type DeepReadonly<T> = T extends Primitive
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;
