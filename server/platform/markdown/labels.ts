/** Labels that the renderer adds to an article for screen readers: names of regions, checkboxes and links. */
export interface ArticleLabels {
  table: string;
  /** Contains `{text}`. */
  link: string;
  done: string;
  notDone: string;
  footnotes: string;
  /** Contains `{n}`. */
  back: string;
}

const labels: Record<string, ArticleLabels> = {
  en: {
    table: 'Table',
    link: 'Link to “{text}”',
    done: 'Done',
    notDone: 'Not done',
    footnotes: 'Footnotes',
    back: 'Back to reference {n}',
  },
  de: {
    table: 'Tabelle',
    link: 'Link zu „{text}“',
    done: 'Erledigt',
    notDone: 'Nicht erledigt',
    footnotes: 'Fußnoten',
    back: 'Zurück zu Verweis {n}',
  },
  fr: {
    table: 'Tableau',
    link: 'Lien vers « {text} »',
    done: 'Fait',
    notDone: 'Pas fait',
    footnotes: 'Notes',
    back: 'Retour à l’appel de note {n}',
  },
  es: {
    table: 'Tabla',
    link: 'Enlace a «{text}»',
    done: 'Hecho',
    notDone: 'Pendiente',
    footnotes: 'Notas',
    back: 'Volver a la referencia {n}',
  },
  it: {
    table: 'Tabella',
    link: 'Link a “{text}”',
    done: 'Fatto',
    notDone: 'Da fare',
    footnotes: 'Note',
    back: 'Torna al richiamo {n}',
  },
  nl: {
    table: 'Tabel',
    link: 'Link naar “{text}”',
    done: 'Gedaan',
    notDone: 'Niet gedaan',
    footnotes: 'Voetnoten',
    back: 'Terug naar verwijzing {n}',
  },
  pt: {
    table: 'Tabela',
    link: 'Link para “{text}”',
    done: 'Feito',
    notDone: 'Por fazer',
    footnotes: 'Notas',
    back: 'Voltar à referência {n}',
  },
};

/** The available label languages. */
export const labelLanguages = Object.keys(labels);

/** The label language for an article's language (BCP 47): the same, or English. */
export function labelLanguage(language: string): string {
  const [base = ''] = language.toLowerCase().split('-');
  return Object.hasOwn(labels, base) ? base : 'en';
}

export function articleLabels(language: string): ArticleLabels {
  return labels[labelLanguage(language)] as ArticleLabels;
}
