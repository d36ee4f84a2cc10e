/// A model with every type of attribute and kind of relationship, written for these tests.
enum LibraryModel {
  /// The entities; the first line is the second of the file.
  static let body = """
    <entity name="Work" isAbstract="YES">
    <attribute name="title" attributeType="String"/>
    <attribute name="pages" optional="YES" attributeType="Integer 16" versionHashModifier="2"/>
    <attribute name="views" attributeType="Integer 32"/>
    <attribute name="bytes" attributeType="Integer 64"/>
    <attribute name="price" optional="YES" attributeType="Decimal"/>
    <attribute name="weight" attributeType="Double"/>
    <attribute name="score" attributeType="Float"/>
    <attribute name="isNew" attributeType="Boolean"/>
    <attribute name="day" attributeType="Date"/>
    <attribute name="cover" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
    <attribute name="key" attributeType="UUID" preserveAfterDeletion="YES"/>
    <attribute name="site" optional="YES" attributeType="URI"/>
    <attribute name="tint" optional="YES" attributeType="Transformable" \
    valueTransformerName="Tint"/>
    <attribute name="draft" optional="YES" transient="YES" attributeType="Undefined"/>
    <fetchedProperty name="similar"><fetchRequest name="fetchedPropertyFetchRequest" \
    entity="Work" predicateString="TRUEPREDICATE"/></fetchedProperty>
    <uniquenessConstraints><uniquenessConstraint><constraint value="title"/><constraint \
    value="day"/></uniquenessConstraint><uniquenessConstraint><constraint value="key"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Book" parentEntity="Work">
    <attribute name="edition" attributeType="Integer 16"/>
    <relationship name="authors" toMany="YES" minCount="1" maxCount="4" \
    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    </entity>
    <entity name="Author">
    <attribute name="name" attributeType="String"/>
    <attribute name="chapterCount" optional="YES" attributeType="Integer 64" derived="YES" \
    derivationExpression="chapters.@count"/>
    <relationship name="books" optional="YES" toMany="YES" ordered="YES" \
    destinationEntity="Book" inverseName="authors" inverseEntity="Book"/>
    <relationship name="chapters" optional="YES" toMany="YES" maxCount="-1" \
    destinationEntity="Chapter" inverseName="author" inverseEntity="Chapter"/>
    </entity>
    <entity name="Chapter">
    <relationship name="author" minCount="1" maxCount="1" destinationEntity="Author" \
    inverseName="chapters" inverseEntity="Author"/>
    <relationship name="source" optional="YES" maxCount="1" destinationEntity="Book"/>
    </entity>
    """
}
